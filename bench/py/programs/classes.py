class Account:
    def __init__(self, owner, balance):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        self.balance += amount
        self.history.append(amount)

    def withdraw(self, amount):
        if amount > self.balance:
            return False
        self.balance -= amount
        return True


def run():
    accounts = [Account("owner" + str(i), 100) for i in range(50)]
    refused = 0
    for i in range(40000):
        account = accounts[i % 50]
        account.deposit(i % 10)
        if not account.withdraw(i % 13):
            refused += 1
    return sum([a.balance for a in accounts]), refused, len(accounts[3].history)


run()
